import { signal } from '@preact/signals'
import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { loadPart, NewerPageError } from '../../model/state/load-part.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'

/**
 * A component whose script is loaded when it is first shown, so that it costs the first screen nothing.
 *
 * @example
 * const Poll = onDemand(async () => (await import('../content/poll.tsx')).Poll)
 *
 * @param asked - Whether it is shown only to who goes there, and not also because of what others do.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { asked = true } = {},
): FunctionComponent<P> {
  const Loaded = signal<ComponentType<P> | undefined>(undefined)
  const problem = signal<Error | undefined>(undefined)
  const begin = (options: { asked: boolean }) => {
    problem.value = undefined
    loadPart(load, options).then(
      (component) => (Loaded.value = component),
      (error: Error) => (problem.value = error),
    )
  }
  function Loading() {
    const isOnline = useSession().connection.value.status === 'online'
    // What could not be loaded without a connection is, once there is one.
    useEffect(() => begin({ asked }), [isOnline])
    return (
      <div class="nothing" aria-busy={problem.value === undefined}>
        {problem.value === undefined ? (
          <p class="slow">{texts.common.loading}</p>
        ) : (
          <p role="alert">
            {problem.value.message}{' '}
            <button type="button" onClick={() => begin({ asked: true })}>
              {problem.value instanceof NewerPageError ? texts.common.reload : texts.common.tryAgain}
            </button>
          </p>
        )}
      </div>
    )
  }
  return function OnDemand(props: P) {
    return Loaded.value ? <Loaded.value {...props} /> : <Loading />
  }
}
