/** The page's address. Tests of the model have none. */
const { href, origin } = typeof location === 'undefined' ? new URL('http://localhost/') : location

/** The page's own folder: the base path of the server, with a slash at its end. */
export const basePath: string = new URL('.', href).pathname

/** The server's address, without a slash at its end. */
export const serverUrl: string = origin + basePath.slice(0, -1)

/** Returns the name of this chat's stored data. All paths of a host share one storage. */
export const storedName = (name: string): string => (basePath === '/' ? name : `${basePath} ${name}`)
