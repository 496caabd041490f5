import { pageTexts } from '../../../texts/page-texts.ts'
import { longAgo } from '../../parts/times.ts'
import { useAnswer } from '../use-answer.ts'

/** What other services sent to an incoming webhook, with what became of it. */
export function Deliveries({ bot_id }: { bot_id: number }) {
  const { answer, problem, load } = useAnswer((client) => client.listDeliveries({ bot_id }))
  const deliveries = answer.value?.deliveries ?? []
  if (problem.value) return <p class="problem">{problem.value}</p>
  return (
    <section aria-label={pageTexts.bots.deliveries}>
      <p>
        {pageTexts.bots.deliveries}{' '}
        <button type="button" onClick={() => void load()}>
          {pageTexts.bots.refresh}
        </button>
      </p>
      {deliveries.length === 0 && <p class="quiet small">{pageTexts.bots.noDeliveries}</p>}
      <ul class="addresses">
        {deliveries.map(({ id, received_at, integration, event, outcome, detail, message_id, payload }) => (
          <li key={id}>
            <details>
              <summary>
                {longAgo(received_at)}: {integration} {event}{' '}
                <span class={outcome === 'failed' ? 'problem' : 'quiet'}>{pageTexts.bots.outcomes[outcome]}</span>
                {detail && ` ${detail}`}
              </summary>
              {message_id !== null && <a href={`#narrow/id/${message_id}`}>{pageTexts.bots.openMessage}</a>}
              {payload === null ? (
                <p class="quiet small">{pageTexts.bots.payloadGone}</p>
              ) : (
                <pre class="payload">{payload}</pre>
              )}
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}
