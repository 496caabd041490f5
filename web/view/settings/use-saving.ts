import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** Saves a value, and says beside the field that it was saved, or why not. */
export function useSaving<T>(save: (value: T) => Promise<unknown>) {
  const problem = useSignal('')
  const saved = useSignal(false)
  const run = async (value: T) => {
    try {
      await save(value)
      problem.value = ''
      saved.value = true
    } catch (error) {
      problem.value = reasonOf(error)
      saved.value = false
    }
  }
  return { problem, saved, run: (value: T) => void run(value) }
}

/**
 * As `useSaving`, with the value to show: the new one from the choice on, what the server has where it is refused. Choices are sent
 * in turn, each with what the server has by then. Values with the same key are the same.
 */
export function useShown<T>(
  value: T,
  save: (value: T, before: T) => Promise<unknown>,
  keyOf: (value: T) => unknown = (value) => value,
) {
  const { live } = useSession()
  const shown = useSignal(value)
  const present = useRef(value)
  present.current = value
  /** What the server has: the state follows by an event. */
  const accepted = useRef(value)
  /** How many choices are on their way to the server: until then what it had before is not shown again. */
  const onTheWay = useRef(0)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  /** The choices whose events have not come. */
  const awaited = useRef<readonly T[]>([])
  /** How many were made, and the last of them whose event has surely come. */
  const made = useRef(0)
  const settled = useSignal(0)
  const follow = () => {
    // The event of a former choice comes after the answer to it: a later one stays.
    if (awaited.current.length > 0) return
    accepted.current = present.current
    if (onTheWay.current === 0) shown.value = present.current
  }
  useEffect(() => {
    const at = awaited.current.findIndex((one) => keyOf(one) === keyOf(value))
    // Of another window's change the own ones say nothing more.
    awaited.current = at === -1 ? [] : awaited.current.slice(at + 1)
    follow()
  }, [keyOf(value)])
  // Two events in one answer, there and back, are no change of the value.
  useEffect(() => {
    if (settled.value !== made.current) return
    awaited.current = []
    follow()
  }, [settled.value])
  const send = async (now: T) => {
    await save(now, accepted.current)
    accepted.current = now
  }
  const saving = useSaving(async (now: T) => {
    shown.value = now
    onTheWay.current += 1
    made.current += 1
    const turn = made.current
    awaited.current = [...awaited.current, now]
    try {
      last.current = last.current.catch(() => {}).then(() => send(now))
      await last.current
    } catch (error) {
      awaited.current = awaited.current.filter((one) => one !== now)
      shown.value = accepted.current
      throw error
    } finally {
      onTheWay.current -= 1
      follow()
      void live.caughtUp().then(() => {
        settled.value = Math.max(settled.peek(), turn)
      })
    }
  })
  return { shown, ...saving }
}
