/** The page's own folder: the base path of the server, with a slash at its end. */
export const basePath: string = new URL('.', location.href).pathname

/** The server's address, without a slash at its end. */
export const serverUrl: string = location.origin + basePath.slice(0, -1)

/** The name under which the browser stores something of this chat: all paths of a host share one storage. */
export const storedName = (name: string): string => (basePath === '/' ? name : `${basePath} ${name}`)
