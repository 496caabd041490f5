import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { Content } from '../content/content.tsx'
import { Problem, reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** Rendered again after this long without a keystroke. */
const QUIET_MS = 300

/** Formatting by what it is for, and what to write. */
function examplesFor({ state }: Session): readonly (readonly [label: string, source: string])[] {
  const examples = pageTexts.help.examples
  const channel = state.subscriptions.find(({ is_archived }) => !is_archived)
  return [
    [examples.bold, '**bold**'],
    [examples.italic, '*italic*'],
    [examples.struck, '~~struck~~'],
    [examples.code, '`code`'],
    [examples.link, '[link](https://example.com)'],
    [examples.bullets, '* milk\n* bread\n  * rye'],
    [examples.numbers, '1. first\n2. second'],
    [examples.quote, '> quoted'],
    [examples.block, '```python\nprint("Hello")\n```'],
    [examples.spoiler, '```spoiler The end\nThey lived.\n```'],
    [examples.math, '$$e^{i\\pi} + 1 = 0$$'],
    [examples.table, '| Day | Lunch |\n|---|---|\n| Mon | soup |'],
    [examples.emoji, ':tada: :octopus:'],
    [examples.time, '<time:2026-12-24T18:00:00Z>'],
    [examples.mention, `@_**${state.full_name}**`],
    ...(channel ? [[examples.channel, `#**${channel.name}**`] as const] : []),
  ]
}

/** Between examples, so that one request renders all of them. */
const RULE = '\n\n---\n\n'

/** How to format messages: examples as the server renders them, and a field to try them in. */
export function FormattingHelp() {
  const session = useSession()
  const examples = examplesFor(session)
  const rendered = useSignal<readonly string[]>([])
  const text = useSignal(pageTexts.help.sample)
  const preview = useSignal('')
  const problem = useSignal('')
  const box = useRef<HTMLTextAreaElement>(null)
  const render = async (content: string): Promise<string> => {
    try {
      problem.value = ''
      return (await session.client.renderMessage({ content })).rendered
    } catch (error) {
      problem.value = reasonOf(error)
      return ''
    }
  }
  useEffect(() => {
    const all = examples.map(([, source]) => source).join(RULE)
    void render(all).then((html) => (rendered.value = html.split('<hr>')))
  }, [session])
  useSignalEffect(() => {
    const content = text.value
    let isOver = false
    const show = async () => {
      const html = content.trim() === '' ? '' : await render(content)
      if (!isOver) preview.value = html
    }
    const timer = setTimeout(() => void show(), preview.peek() === '' ? 0 : QUIET_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  })
  const take = (source: string) => {
    text.value = source
    box.current?.focus()
  }
  return (
    <div class="formatting-help">
      <section class="try-formatting">
        <label>
          {pageTexts.help.tryIt}
          <textarea
            ref={box}
            rows={3}
            dir="auto"
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <div class="tried" aria-live="polite">
          <Content html={preview.value} />
        </div>
      </section>
      <Problem of={problem} />
      <ul>
        {examples.map(([label, source], i) => (
          <li key={label}>
            <span class="quiet small">{label}</span>
            <button type="button" class="source" title={pageTexts.help.useExample} onClick={() => take(source)}>
              <code dir="auto">{source}</code>
            </button>
            <Content html={rendered.value[i] ?? ''} />
          </li>
        ))}
      </ul>
    </div>
  )
}
