import { useSignal } from '@preact/signals'
import { texts } from '../../texts/texts.ts'
import { Content } from './content.tsx'

/** Messages with more lines than this are folded. Lines are counted in the markup, since measuring takes time. */
const MOST_LINES = 40
const LINE_ENDS = /\n|<br>/g

const isLong = (html: string): boolean => html.length > MOST_LINES && (html.match(LINE_ENDS)?.length ?? 0) > MOST_LINES

/** The content of a message. A long one shows its beginning and a button for the rest. */
export function FoldedContent({ html }: { html: string }) {
  const isOpen = useSignal(false)
  if (!isLong(html)) return <Content html={html} />
  return (
    <>
      <Content html={html} class={isOpen.value ? '' : 'folded'} />
      <button type="button" class="unsaved" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        {isOpen.value ? texts.message.showLess : texts.message.showMore}
      </button>
    </>
  )
}
