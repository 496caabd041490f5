import type { HLJSApi } from 'highlight.js'
import type katex from 'katex'
import { requireDomains, requireHighlighter, requireTypesetter } from './packages.ts'

// The two packages are the largest part of the program: loading them at the first code block and the first formula
// saves a third of every start.

let loadedHighlighter: HLJSApi | undefined
export function highlighter(): HLJSApi {
  loadedHighlighter ??= requireHighlighter()
  return loadedHighlighter
}

let loadedTypesetter: typeof katex | undefined
export function typesetter(): typeof katex {
  loadedTypesetter ??= requireTypesetter()
  return loadedTypesetter
}

let loadedDomains: ReadonlySet<string> | undefined
/** Top-level domains that are far more often file extensions. */
const fileExtensions = ['java', 'md', 'mov', 'py', 'zip']
export function topLevelDomains(): ReadonlySet<string> {
  loadedDomains ??= new Set(requireDomains().filter((domain) => !fileExtensions.includes(domain)))
  return loadedDomains
}
