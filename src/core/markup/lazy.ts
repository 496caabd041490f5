import { createRequire } from 'node:module'
import type { HLJSApi } from 'highlight.js'
import type katex from 'katex'
import { lazy } from '../base/lazy.ts'

// Rendering is synchronous, so these are loaded by require. The two packages are the largest part of the program:
// loading them at the first code block and the first formula saves a third of every start.
const require = createRequire(import.meta.url)

export const highlighter = lazy(() => require('highlight.js') as HLJSApi)
export const typesetter = lazy(() => require('katex') as typeof katex)

/** Top-level domains that are far more often file extensions. */
const fileExtensions = ['java', 'md', 'mov', 'py', 'zip']
export const topLevelDomains = lazy(
  (): ReadonlySet<string> =>
    new Set((require('tlds') as string[]).filter((domain) => !fileExtensions.includes(domain))),
)
