// The names of the assets in the executable.

export const ADDON_ASSET = 'addon.node'
export const WEB_ASSETS = 'web-client/'
export const WORKER_ASSETS = 'workers/'
export const PACKAGE_ASSETS = 'packages/'
/** Packages that are read when they are first needed, because they are large and many servers never need them. */
export const LATE_PACKAGES = ['highlight.js', 'katex'] as const
