// Plain calls of require, which esbuild replaces by the packages themselves: each is evaluated when it is first called.
import type { HLJSApi } from 'highlight.js'
import type katex from 'katex'

export const requireHighlighter = (): HLJSApi => require('highlight.js')
export const requireTypesetter = (): typeof katex => require('katex')
export const requireDomains = (): readonly string[] => require('tlds')
