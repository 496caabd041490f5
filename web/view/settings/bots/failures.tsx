import { pageTexts } from '../../../texts/page-texts.ts'
import { useAnswer } from '../use-answer.ts'

/** Failed deliveries of an outgoing webhook, with reasons. */
export function Failures({ bot_id }: { bot_id: number }) {
  const { answer, problem } = useAnswer((client) => client.listFailures({ bot_id }))
  const failures = answer.value?.failures ?? []
  if (problem.value) return <p class="problem">{problem.value}</p>
  if (failures.length === 0) return <p class="quiet small">{pageTexts.bots.allDelivered}</p>
  return (
    <section aria-label={pageTexts.bots.failures}>
      <p>{pageTexts.bots.failures}</p>
      <ul class="addresses">
        {failures.map(({ message_id, failure, attempts, given_up }) => (
          <li key={message_id}>
            <a href={`#narrow/id/${message_id}`}>{pageTexts.bots.failedMessage(String(message_id))}</a>
            {pageTexts.bots.failure(failure, attempts, given_up)}
          </li>
        ))}
      </ul>
    </section>
  )
}
