declare const PACKAGE_VERSION: string

/** Returns the version of the package, which is written into the executable when it is built. */
export const version = (): string => PACKAGE_VERSION
