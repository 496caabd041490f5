import { getAsset } from 'node:sea'
import { compileFunction } from 'node:vm'
import type { HLJSApi } from 'highlight.js'
import type katex from 'katex'
import domains from 'tlds'
import { type LATE_PACKAGES, PACKAGE_ASSETS } from './assets.ts'

/** Evaluates a package that is bundled as one asset and requires nothing else. */
function requireAsset(name: (typeof LATE_PACKAGES)[number]): unknown {
  const module = { exports: {} as unknown }
  const source = getAsset(PACKAGE_ASSETS + name, 'utf8')
  compileFunction(source, ['module', 'exports'], { filename: name })(module, module.exports)
  return module.exports
}

// biome-ignore lint/correctness/useYield: the asset has all grammars
export function* requireHighlighter(): Generator<void, HLJSApi> {
  return requireAsset('highlight.js') as HLJSApi
}

export const requireTypesetter = (): typeof katex => requireAsset('katex') as typeof katex
export const requireDomains = (): readonly string[] => domains
