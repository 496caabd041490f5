import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { root } from '../../../scripts/imports.ts'
import { usedOperations } from '../../../scripts/used-operations.ts'

/** German and Arabic, one for each direction. */
const LANGUAGES = /\/web\/texts\/(?:de|ar)\/index\.ts$/

/** Replaces two translations by pseudo-translations, made from English while the page runs. */
const pseudoTexts: Plugin = {
  name: 'pseudo-texts',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const [, part] = /^\.\/(first|pages|pieces)\.ts$/.exec(source) ?? []
    return part && LANGUAGES.test(importer) ? `\0pseudo:${part}` : null
  },
  load(id) {
    const [, part] = /^\0pseudo:(\w+)$/.exec(id) ?? []
    if (!part) return null
    return `import { ${part} as english } from '${join(root, `web/texts/en/${part}.ts`)}'
      import { pseudo } from '${join(root, 'test/web/pseudo/pseudo.ts')}'
      const translated = pseudo(english)
      export { translated as ${part} }`
  },
}

/** Builds the web client with pseudo-translations into a folder. */
export async function buildWithPseudoTexts(outDir: string): Promise<void> {
  await build({
    root: join(root, 'web'),
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    plugins: [usedOperations, pseudoTexts],
    build: { outDir, emptyOutDir: true, minify: false },
  })
}
