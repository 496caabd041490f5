import { createRequire } from 'node:module'
import { lazy } from '../base/lazy.ts'

type Domains = typeof import('disposable-email-domains-js')

const require = createRequire(import.meta.url)

/** Loaded with the first address that is checked: the list has thousands of domains. */
const known = lazy(() => (require('disposable-email-domains-js') as Domains).disposableEmailBlocklistSet())

/** Returns whether a domain, or a parent of it, offers disposable addresses. */
export function isDisposable(domain: string): boolean {
  const labels = domain.toLowerCase().split('.')
  return labels.some((_, i) => known().has(labels.slice(i).join('.')))
}
