// The single executable replaces this file (scripts/release/executable/markup-packages.ts).
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { HLJSApi } from 'highlight.js'
import type katex from 'katex'

// Rendering is synchronous, so these are loaded by require.
const require = createRequire(import.meta.url)

const registration = /registerLanguage\('([^']+)', require\('\.\/([^']+)'\)\)/g

/**
 * Loads the highlighter in small steps, because its grammars take 50 ms. They are registered in the package's own order:
 * of two with the same alias, the last one counts.
 */
export function* requireHighlighter(): Generator<void, HLJSApi> {
  const highlighter: HLJSApi = require('highlight.js/lib/core')
  const list = readFileSync(require.resolve('highlight.js'), 'utf8')
  for (const [, name, path] of list.matchAll(registration)) {
    yield
    highlighter.registerLanguage(name!, require(`highlight.js/lib/${path}`))
  }
  return highlighter
}

export const requireTypesetter = (): typeof katex => require('katex')
export const requireDomains = (): readonly string[] => require('tlds')
