/** A processor that releases are made for, under the names that each tool uses. */
export interface Platform {
  /** Debian's and Docker's name. */
  readonly debian: 'amd64' | 'arm64'
  /** Node's and npm's name. */
  readonly node: 'x64' | 'arm64'
  readonly strip: string
}

export const platforms: readonly Platform[] = [
  { debian: 'amd64', node: 'x64', strip: 'x86_64-linux-gnu-strip' },
  { debian: 'arm64', node: 'arm64', strip: 'aarch64-linux-gnu-strip' },
]

/** The platform of this machine. Throws on a machine that releases are not made for. */
export function thisPlatform(): Platform {
  const found = platforms.find(({ node }) => process.platform === 'linux' && node === process.arch)
  if (!found) throw new Error(`Releases are made on Linux, on ${platforms.map(({ node }) => node).join(' or ')}.`)
  return found
}
