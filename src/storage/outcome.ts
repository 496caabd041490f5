/** How a write ended: what it returned, or why it failed. */
export type Outcome = { value: unknown } | { error: unknown }

/** Answers who asked for a write. */
export type Settle = (outcome: Outcome) => void

/** A promise of what a write returns, and what settles it. */
export function promised<T>(start: (settle: Settle) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    start((outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T)))
  })
}

/** Runs the effects of a write after its commit. One that throws must not prevent the others. */
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
