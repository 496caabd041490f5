import { DRIVER } from './driver.ts'

export type Manifest = Record<string, unknown>

/** Members of package.json that only this repository uses. */
const ours = ['allowScripts', 'devDependencies', 'scripts', 'workspaces']

/**
 * Returns package.json as it is published.
 *
 * @param repository - address of the public repository, from which the links for users follow. Nothing is linked without it
 */
export function publishedManifest(manifest: Manifest, repository: string | undefined): Manifest {
  const kept = Object.entries(manifest).filter(([name]) => !ours.includes(name))
  return { ...Object.fromEntries(kept), bundleDependencies: [DRIVER], ...(repository && linksOf(repository)) }
}

function linksOf(repository: string): Manifest {
  const { protocol, href } = new URL(repository)
  if (protocol !== 'https:') throw new Error(`REPOSITORY is ${repository}. It must begin with https://`)
  const address = href.replace(/(\.git)?\/?$/, '')
  return {
    repository: { type: 'git', url: `git+${address}.git` },
    bugs: `${address}/issues`,
    homepage: `${address}#readme`,
  }
}
