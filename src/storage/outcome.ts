/** The result of a write, or why it failed. */
export type Outcome = { value: unknown } | { error: unknown }

/** Answers the caller of a write. */
export type Settle = (outcome: Outcome) => void

/** Returns a promise for the result of a write, and passes `start` the function that settles it. */
export function promised<T>(start: (settle: Settle) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    start((outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T)))
  })
}

/** Runs the effects of a write after its commit. An effect that throws doesn't prevent the others. */
export function runEffects(effects: readonly (() => void)[], outcome: Outcome): Outcome {
  let result = outcome
  for (const effect of effects) {
    try {
      effect()
    } catch (error) {
      result = { error }
    }
  }
  return result
}
