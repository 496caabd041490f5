import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

let known: ReadonlySet<string> | undefined

/** Whether a domain, or one that it is below, gives addresses to everybody for a moment. The list is read when it is first needed. */
export function isDisposable(domain: string): boolean {
  known ??= disposableEmailBlocklistSet()
  const labels = domain.toLowerCase().split('.')
  return labels.some((_, i) => known!.has(labels.slice(i).join('.')))
}
