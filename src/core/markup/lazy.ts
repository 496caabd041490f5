import { lazy } from '../kernel/base/lazy.ts'
import { requireDomains, requireHighlighter, requireTypesetter } from './packages.ts'

// The two packages are the largest part of the program: loading them at the first code block and the first formula
// saves a third of every start.

export const highlighter = lazy(requireHighlighter)
export const typesetter = lazy(requireTypesetter)

/** Top-level domains that are far more often file extensions. */
const fileExtensions = ['java', 'md', 'mov', 'py', 'zip']
export const topLevelDomains = lazy(
  (): ReadonlySet<string> => new Set(requireDomains().filter((domain) => !fileExtensions.includes(domain))),
)
