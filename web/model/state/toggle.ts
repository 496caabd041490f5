import { perSession, type Session } from './session.ts'

interface Choice {
  isOn: boolean
  /** Settles with the answer of the server. */
  sent: Promise<unknown>
}

/** Choices that aren't in the state yet, by subject. */
const choices = perSession(() => new Map<string, Choice>())

/**
 * Turns something on or off: the opposite of its state or of the last choice. The state follows only with an event, so
 * a second press that used the state would repeat the first. Requests run one after another, so the last press wins.
 * Returns whether it is on.
 */
export async function toggle(
  session: Session,
  name: string,
  isOn: () => boolean,
  set: (isOn: boolean) => Promise<unknown>,
): Promise<boolean> {
  const known = choices(session)
  const last = known.get(name)
  const next = !(last?.isOn ?? isOn())
  const before = last?.sent.catch(() => {}) ?? Promise.resolve()
  const choice: Choice = { isOn: next, sent: before.then(() => set(next)) }
  known.set(name, choice)
  const forget = () => known.get(name) === choice && known.delete(name)
  choice.sent.then(() => stateHas(session, () => isOn() === next)).then(forget, forget)
  await choice.sent
  return next
}

/** Waits for the event of the choice. Another event in the same response may have reverted it. */
const stateHas = ({ live }: Session, isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (isSo()) return resolve()
    const done = () => {
      end()
      resolve()
    }
    const end = live.onChange(() => isSo() && done())
    void live.caughtUp().then(done)
  })
