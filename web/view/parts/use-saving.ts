import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { reasonOf } from './notices.tsx'
import './problem-words.ts'
import { useSession } from '../session-context.ts'

/** Saves a value, and shows the result or the error beside the field. */
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
 * Like `useSaving`, with the value to show: the new one after the choice, and the server's after an error. Choices are
 * sent in turn, each based on the server's current value. Values with the same key are equal.
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
  /** The server's value. The state follows with an event. */
  const accepted = useRef(value)
  /** Pending choices. Until all are done, the old value isn't shown again. */
  const onTheWay = useRef(0)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  /** Choices without events so far. */
  const awaited = useRef<readonly T[]>([])
  /** The number of choices, and the last one whose event has certainly come. */
  const made = useRef(0)
  const settled = useSignal(0)
  const follow = () => {
    // A choice's event comes after its response, and later choices stay.
    if (awaited.current.length > 0) return
    accepted.current = present.current
    if (onTheWay.current === 0) shown.value = present.current
  }
  useEffect(() => {
    const at = awaited.current.findIndex((one) => keyOf(one) === keyOf(value))
    // After another window's change, this window's choices no longer matter.
    awaited.current = at === -1 ? [] : awaited.current.slice(at + 1)
    follow()
  }, [keyOf(value)])
  // Two opposite events in one response don't change the value.
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
