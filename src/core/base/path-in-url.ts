/** The path of a base URL without its last slash; empty where the URL has none, as most. */
export const basePathIn = (url: string): string => new URL(url).pathname.replace(/\/$/, '')
