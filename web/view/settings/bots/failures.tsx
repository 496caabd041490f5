import { useAnswer } from '../use-answer.ts'

/** What the receiver of an outgoing webhook did not take, and why. */
export function Failures({ bot_id }: { bot_id: number }) {
  const { answer, problem } = useAnswer((client) => client.listFailures({ bot_id }))
  const failures = answer.value?.failures ?? []
  if (problem.value) return <p class="problem">{problem.value}</p>
  if (failures.length === 0) return <p class="quiet small">Everything was received.</p>
  return (
    <section aria-label="What was not received">
      <p>What was not received, the newest first:</p>
      <ul class="addresses">
        {failures.map(({ message_id, failure, attempts, given_up }) => (
          <li key={message_id}>
            <a href={`#narrow/id/${message_id}`}>Message {message_id}</a>: {failure} ({attempts}{' '}
            {attempts === 1 ? 'attempt' : 'attempts'}
            {given_up ? ', given up' : ', tried again later'})
          </li>
        ))}
      </ul>
    </section>
  )
}
