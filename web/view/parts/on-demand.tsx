import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/**
 * A component whose script is loaded when it is first shown, so that it costs the first screen nothing.
 *
 * @example
 * const Settings = onDemand(async () => (await import('../settings/settings.tsx')).Settings)
 */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded = signal<ComponentType<P> | undefined>(undefined)
  const hasFailed = signal(false)
  let isLoading = false
  const begin = () => {
    if (isLoading) return
    isLoading = true
    load().then(
      (component) => (Loaded.value = component),
      () => (hasFailed.value = true),
    )
  }
  return function OnDemand(props: P) {
    if (Loaded.value) return <Loaded.value {...props} />
    begin()
    return (
      <div class="nothing" aria-busy={!hasFailed.value}>
        {hasFailed.value ? (
          <p role="alert">
            This page could not be loaded. The server may be away, or newer than what you see.{' '}
            <button type="button" onClick={() => location.reload()}>
              Load everything again
            </button>
          </p>
        ) : (
          <p class="slow">Opening …</p>
        )}
      </div>
    )
  }
}
