// The single executable replaces this file (scripts/release/executable/markup-packages.ts).
import { createRequire } from 'node:module'
import type { HLJSApi } from 'highlight.js'
import type katex from 'katex'

// Rendering is synchronous, so these are loaded by require.
const require = createRequire(import.meta.url)

export const requireHighlighter = (): HLJSApi => require('highlight.js')
export const requireTypesetter = (): typeof katex => require('katex')
export const requireDomains = (): readonly string[] => require('tlds')
