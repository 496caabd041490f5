import type { HLJSApi } from 'highlight.js'
import { lazy } from '../kernel/base/lazy.ts'
import { requireDomains, requireHighlighter, requireTypesetter } from './packages.ts'

// The two packages are the largest part of the program: loading them at the first code block and the first formula
// saves a third of every start.

let highlighterSteps = requireHighlighter()
let loadedHighlighter: HLJSApi | undefined

function loadMore(): void {
  try {
    const { done, value } = highlighterSteps.next()
    if (done) loadedHighlighter = value
  } catch (error) {
    highlighterSteps = requireHighlighter()
    throw error
  }
}

/** Loads the highlighter in steps, and yields between them, so that callers can let other work run. */
export function* loadHighlighter(): Generator<void> {
  while (!loadedHighlighter) {
    loadMore()
    yield
  }
}

/** The highlighter. What is not loaded yet is loaded immediately. */
export function highlighter(): HLJSApi {
  while (!loadedHighlighter) loadMore()
  return loadedHighlighter
}

export const typesetter = lazy(requireTypesetter)

/** Top-level domains that are far more often file extensions. */
const fileExtensions = ['java', 'md', 'mov', 'py', 'zip']
export const topLevelDomains = lazy(
  (): ReadonlySet<string> => new Set(requireDomains().filter((domain) => !fileExtensions.includes(domain))),
)
