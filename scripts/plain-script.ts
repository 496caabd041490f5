import type { Plugin, Rollup } from 'vite'

/** Holds what other scripts use of the first one. */
const SHARED = 'globalThis.webClient'
const EXPORTS = /export\s*\{([^{}]*)\};?\s*$/
/** All scripts are in one folder, so the loader needs no address from its callers. */
const LOADED_FROM = /(?:,\s*\[\]|(,\s*__vite__mapDeps\(\[[^\]]*\]\))),\s*import\.meta\.url/g
/** A part that is loaded with one of its exports, which takes fewer bytes without naming the export three times. */
const ONE_OF = /async\(\)=>\{let\{(\w+):(\w+)\}=await (import\([^)]*\)(?:\.then\(\w+=>\w+\.\w+\))?);return\{\1:\2\}\}/g
const TAG = /<script type="module"([^>]*)>/

/**
 * Makes the first script a plain one instead of a module. Browsers compile a plain script when the service worker stores
 * it, and keep the result beside it. A module is parsed and compiled at each start.
 *
 * Other scripts import from the first one, so it puts its exports in an object.
 */
export const plainScript: Plugin = {
  name: 'plain-script',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const first = chunks.find((one) => one.name === 'main')
      const page = bundle['index.html']
      if (!first || page?.type !== 'asset' || typeof page.source !== 'string') this.error('the page has another form')
      const base = first.fileName.replace(/^.*\//, '')
      const exports = exportsOf(first)
      for (const chunk of chunks) if (chunk !== first) chunk.code = usingShared(chunk, base, exports)
      first.code = plain(first, exports)
      if (!TAG.test(page.source)) this.error('the page has another script')
      page.source = page.source.replace(TAG, '<script defer$1>')
    },
  },
}

/** The names within a script of what it exports, by the names of the exports. */
function exportsOf({ code, imports }: Rollup.OutputChunk): ReadonlyMap<string, string> {
  const [, names] = EXPORTS.exec(code) ?? []
  if (names === undefined || imports.length > 0) throw new Error('the first script has another form')
  return new Map(
    names.split(',').map((one) => {
      const [local = '', name = local] = one.trim().split(/\s+as\s+/)
      return [name, local]
    }),
  )
}

function plain({ code }: Rollup.OutputChunk, exports: ReadonlyMap<string, string>): string {
  const body = code
    .replace(EXPORTS, '')
    .replaceAll(ONE_OF, '()=>$3')
    .replaceAll(LOADED_FROM, '$1')
    .replaceAll('import.meta.url', 'address_')
  return `(()=>{"use strict";const address_=document.currentScript.src;${body};${SHARED}={${[...new Set(exports.values())].sort()}}})()\n`
}

/** Makes a script read what it imports from the first one out of the object. */
function usingShared(
  { code, fileName }: Rollup.OutputChunk,
  first: string,
  exports: ReadonlyMap<string, string>,
): string {
  const name = first.replaceAll('.', '\\.')
  const changed = code.replaceAll(
    new RegExp(`import\\s*(?:\\{([^{}]*)\\}\\s*from\\s*)?["'\`]\\./${name}["'\`];?`, 'g'),
    (_, names: string | undefined) => {
      const members = names?.split(',').map((one) => {
        const [imported = '', local = imported] = one.trim().split(/\s+as\s+/)
        if (!exports.has(imported)) throw new Error(`${fileName} imports ${imported}, which the first script lacks`)
        return `${exports.get(imported)}:${local}`
      })
      return members ? `const {${members}}=${SHARED};` : ''
    },
  )
  if (changed.includes(first)) throw new Error(`${fileName} uses the first script in another way`)
  return changed
}
