import * as v from 'valibot'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { statePart } from '../events/log/state-part.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { onboardingStepShape } from '../shapes/user.ts'
import { empty } from '../shapes/values.ts'

/** Hints that upstream clients show new users once. */
const steps = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'navigation_tour_video',
]

async function stepsLeft({ db, user }: Caller) {
  const rows = await db.selectFrom('onboarding_step').select('step').where('user_id', '=', user.id).execute()
  const seen = new Set(rows.map((row) => row.step))
  return steps.filter((step) => !seen.has(step)).map((name) => ({ type: 'one_time_notice' as const, name }))
}

/** The hints that the user hasn't seen, as register returns them. */
export const onboardingState = statePart({ onboarding_steps: v.array(onboardingStepShape) }, async (reader) => ({
  onboarding_steps: await stepsLeft(reader),
}))

/**
 * POST /users/me/onboarding_steps: marks a hint as seen by the caller.
 *
 * @throws BAD_REQUEST "Unknown onboarding_step: …"
 */
export const markOnboardingStep = action(
  {
    name: 'markOnboardingStep',
    summary: 'Mark an onboarding step as seen',
    params: v.object({ onboarding_step: described(text, 'Name of the step.') }),
    result: empty,
  },
  (caller, { onboarding_step: step }) =>
    caller.write(async (tx) => {
      if (!steps.includes(step)) throw badRequest(`Unknown onboarding_step: ${step}`)
      const added = await tx.db
        .insertInto('onboarding_step')
        .values({ user_id: tx.user.id, step, seen_at: seconds(tx.chat.clock) })
        .onConflict((oc) => oc.columns(['user_id', 'step']).doNothing())
        .returning('step')
        .executeTakeFirst()
      if (!added) return {}
      await emit(tx, { type: 'onboarding_steps', onboarding_steps: await stepsLeft(tx) }, only(tx.user.id))
      return {}
    }),
)
