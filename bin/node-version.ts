/** The first release with Node-API 10, which the SQLite driver needs: an older Node crashes when it loads the driver. */
const OLDEST_NODE = [22, 14] as const

/** Returns why this version of Node can't run the server, or undefined. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return undefined
  return `chat-server needs Node.js ${OLDEST_NODE.join('.')} or newer. This is ${version}.`
}
