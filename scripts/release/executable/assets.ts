// The names of the assets in the executable.

export const ADDON_ASSET = 'addon.node'
export const WEB_ASSETS = 'web-client/'
export const WORKER_ASSETS = 'workers/'
