import type { Plugin, Rollup } from 'vite'

/** Holds what other scripts use of the first one. */
const SHARED = 'globalThis.webClient'
const EXPORTS = /export\s*\{([^{}]*)\};?\s*$/
/** All scripts are in one folder, so the loader needs no address from its callers. */
const LOADED_FROM = /(,\s*(?:\[\]|__vite__mapDeps\(\[[^\]]*\]\))),\s*import\.meta\.url/g
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
      for (const chunk of chunks) if (chunk !== first) chunk.code = usingShared(chunk, base)
      first.code = plain(first)
      if (!TAG.test(page.source)) this.error('the page has another script')
      page.source = page.source.replace(TAG, '<script defer$1>')
    },
  },
}

function plain({ code, imports }: Rollup.OutputChunk): string {
  const [exported, names] = EXPORTS.exec(code) ?? []
  if (exported === undefined || imports.length > 0) throw new Error('the first script has another form')
  const members = names!.split(',').map((one) => {
    const [local, name = local] = one.trim().split(/\s+as\s+/)
    return name === local ? local : `${name}:${local}`
  })
  const body = code
    .slice(0, -exported.length)
    .replaceAll(ONE_OF, '()=>$3')
    .replaceAll(LOADED_FROM, '$1')
    .replaceAll('import.meta.url', 'address_')
  return `(()=>{"use strict";const address_=document.currentScript.src;${body};${SHARED}={${members}}})()\n`
}

/** Also for re-exported names, and where nothing is imported. */
function usingShared({ code, fileName }: Rollup.OutputChunk, first: string): string {
  const name = first.replaceAll('.', '\\.')
  const changed = code.replaceAll(
    new RegExp(`import\\s*(?:\\{([^{}]*)\\}\\s*from\\s*)?["'\`]\\./${name}["'\`];?`, 'g'),
    (_, names) => (names === undefined ? '' : `const {${String(names).replaceAll(/\s+as\s+/g, ':')}}=${SHARED};`),
  )
  if (changed.includes(first)) throw new Error(`${fileName} uses the first script in another way`)
  return changed
}
