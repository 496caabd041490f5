import { useSignal } from '@preact/signals'
import { texts } from '../../texts/texts.ts'
import { Content } from './content.tsx'
import { isLongCode } from './enhance-content.ts'

/** Messages with more lines than this are folded. Lines are counted in the markup, since measuring takes time. */
const MOST_LINES = 40
const LINE_ENDS = /\n|<br>/g

const CODE = /<pre>[\s\S]*?<\/pre>/g

const isLong = (html: string): boolean => {
  if (html.length <= MOST_LINES) return false
  // Long code folds on its own.
  const text = html.replace(CODE, (code) => (isLongCode(code) ? '' : code))
  return (text.match(LINE_ENDS)?.length ?? 0) > MOST_LINES
}

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
