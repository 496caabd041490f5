import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'

interface NewFeedProps {
  bot_id: number
  onAdded(): Promise<void>
  onDone(): void
}

/** A form that adds a feed or a calendar to a bot. */
export function NewFeed({ bot_id, onAdded, onDone }: NewFeedProps) {
  const session = useSession()
  const { streams } = session.read('streams')
  const isCalendar = useSignal(false)
  const add = async (data: FormData) => {
    await session.client.addFeed({
      bot_id,
      kind: isCalendar.value ? 'calendar' : 'feed',
      url: textIn(data, 'url'),
      stream: textIn(data, 'stream'),
      topic: textIn(data, 'topic'),
      ...(isCalendar.value && { minutes_before: Number(textIn(data, 'minutes_before')) }),
    })
    await onAdded()
    onDone()
  }
  return (
    <ActionForm action={pageTexts.feeds.add} run={add} onCancel={onDone}>
      <FormField
        name="kind"
        label={pageTexts.common.kind}
        options={[
          ['feed', pageTexts.feeds.feed],
          ['calendar', pageTexts.feeds.calendar],
        ]}
        onChoose={(kind) => (isCalendar.value = kind === 'calendar')}
      />
      <FormField
        name="url"
        label={pageTexts.feeds.url}
        about={pageTexts.feeds.urlHelp}
        required
        maxLength={2000}
        spellcheck={false}
        placeholder={isCalendar.value ? pageTexts.feeds.calendarExample : pageTexts.feeds.feedExample}
      />
      <FormField
        name="stream"
        label={pageTexts.common.channel}
        options={streams.filter((one) => !one.is_archived).map((one) => [String(one.stream_id), one.name])}
        onChoose={() => {}}
      />
      <FormField name="topic" label={texts.compose.topic} required maxLength={session.state.max_topic_length} />
      {isCalendar.value && (
        <FormField
          name="minutes_before"
          label={pageTexts.feeds.minutesBefore}
          required
          pattern="[0-9]{1,5}"
          defaultValue="15"
        />
      )}
    </ActionForm>
  )
}
