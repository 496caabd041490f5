import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The pages that VitePress reads. */
export const stageFolder = join(root, '.site')
/** The built site. */
export const siteFolder = join(root, 'dist/docs')

/** Documents at the top of the repository, and their places in the site. */
const moved: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'internals/contributing.md',
  'SECURITY.md': 'operate/security.md',
  'README.md': 'index.md',
}

/** Copies the documents, with links that fit their places in the site. */
export function stagePages(): void {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  for (const path of inDocs.filter((each) => each.endsWith('.md'))) stage(`docs/${path}`, path)
  for (const [path, place] of Object.entries(moved)) if (path !== 'README.md') stage(path, place)
  cpSync(join(root, 'docs/screenshots'), join(stageFolder, 'screenshots'), { recursive: true })
  cpSync(join(root, 'web/public/favicon.svg'), join(stageFolder, 'public/favicon.svg'))
}

function stage(path: string, place: string): void {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(
    /\]\((?!https?:|mailto:|#|\/)([^)#\s]+)(#[^)\s]+)?\)/g,
    (_, to: string, anchor = '') => `](${placeOf(join(dirname(path), to), place)}${anchor})`,
  )
  mkdirSync(dirname(join(stageFolder, place)), { recursive: true })
  writeFileSync(join(stageFolder, place), text)
}

/** Returns a link from a page of the site to a file of the repository. */
function placeOf(target: string, from: string): string {
  if (!existsSync(join(root, target))) throw new Error(`${from} links to ${target}, which does not exist`)
  const folder = target.replace(/^docs\/internals\/decisions$/, 'docs/internals/decisions/index.md')
  const place = moved[folder] ?? folder.replace(/^docs\//, '')
  const link = relative(dirname(from), place)
  return link.startsWith('.') ? link : `./${link}`
}

/** Writes compressed forms beside the files of a folder, as the server sends them. */
export function compressFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|css|json|svg)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
    const forms = [
      ['.br', brotliCompressSync(bytes, quality)],
      ['.gz', gzipSync(bytes)],
    ] as const
    for (const [suffix, packed] of forms) if (packed.length < bytes.length) writeFileSync(file + suffix, packed)
  }
}
