import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Returns the license texts of the packages that these files belong to. The name and version of a package come before
 * its text.
 *
 * @param files - paths relative to the repository, as esbuild's metafile names them
 * @throws Error for a package without a license
 */
export function licenseTexts(files: readonly string[]): string {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, folder)).find((each) => /^(license|licence)/i.test(each))
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : license && `License: ${license}`
    if (!text) throw new Error(`${name} is bundled and has no license`)
    return `${name} ${version}\n\n${text}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
