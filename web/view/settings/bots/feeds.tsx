import { pageTexts } from '../../../texts/page-texts.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { useSession } from '../../session-context.ts'
import { useAnswer } from '../use-answer.ts'
import { FeedRow } from './feed-row.tsx'
import { NewFeed } from './new-feed.tsx'

/** The feeds and calendars that a bot announces. */
export function Feeds({ bot_id, bot_name }: { bot_id: number; bot_name: string }) {
  const { client } = useSession()
  const { answer, problem, load } = useAnswer(() => client.listFeeds({ bot_id }))
  const feeds = answer.value?.feeds
  return (
    <section aria-label={pageTexts.feeds.of(bot_name)}>
      <p>
        {pageTexts.feeds.title}{' '}
        <button type="button" onClick={() => void load()}>
          {pageTexts.bots.refresh}
        </button>
      </p>
      {problem.value && <p class="problem">{problem.value}</p>}
      {feeds?.length === 0 && <p class="quiet small">{pageTexts.feeds.empty}</p>}
      <ul class="addresses">
        {feeds?.map((feed) => (
          <FeedRow key={feed.id} bot_id={bot_id} feed={feed} onRemoved={load} />
        ))}
      </ul>
      <Disclosure label={pageTexts.feeds.new}>
        {(close) => <NewFeed bot_id={bot_id} onAdded={load} onDone={close} />}
      </Disclosure>
    </section>
  )
}
