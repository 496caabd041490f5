import { createRequire } from 'node:module'
import type { HLJSApi } from 'highlight.js'
import type katex from 'katex'

// Rendering is synchronous, so these are loaded by require. The two packages are the largest part of the program:
// loading them at the first code block and the first formula saves a third of every start.
const require = createRequire(import.meta.url)

let loadedHighlighter: HLJSApi | undefined
export function highlighter(): HLJSApi {
  loadedHighlighter ??= require('highlight.js') as HLJSApi
  return loadedHighlighter
}

let loadedTypesetter: typeof katex | undefined
export function typesetter(): typeof katex {
  loadedTypesetter ??= require('katex') as typeof katex
  return loadedTypesetter
}

let loadedDomains: ReadonlySet<string> | undefined
/** Top-level domains that are far more often file extensions. */
const fileExtensions = ['java', 'md', 'mov', 'py', 'zip']
export function topLevelDomains(): ReadonlySet<string> {
  loadedDomains ??= new Set((require('tlds') as string[]).filter((domain) => !fileExtensions.includes(domain)))
  return loadedDomains
}
