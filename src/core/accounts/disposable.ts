import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { lazy } from '../kernel/base/lazy.ts'

const known = lazy(disposableEmailBlocklistSet)

/** Returns whether a domain, or a parent of it, offers disposable addresses. */
export function isDisposable(domain: string): boolean {
  const labels = domain.toLowerCase().split('.')
  return labels.some((_, i) => known().has(labels.slice(i).join('.')))
}
