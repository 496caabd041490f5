import * as v from 'valibot'
import { on, type Reader, skip, text, textAt } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { link, quoteMarkdown, topicName, untrustedLine } from '../format/text.ts'

const named = v.nullish(v.object({ name: text }))
const schema = v.object({
  action: v.object({
    memberCreator: v.nullish(v.object({ fullName: text })),
    member: v.nullish(v.object({ fullName: text })),
    data: v.object({
      board: v.nullish(v.object({ name: text, shortLink: text })),
      card: v.nullish(v.object({ name: text, shortLink: text, closed: v.nullish(v.boolean()), due: text, desc: text })),
      list: named,
      listBefore: named,
      listAfter: named,
      checklist: named,
      checkItem: v.nullish(v.object({ name: text, state: text })),
      attachment: v.nullish(v.object({ name: text, url: text })),
      label: v.nullish(v.object({ name: text, color: text })),
      old: v.nullish(v.record(v.string(), v.unknown()), {}),
      text,
    }),
  }),
})
type Action = v.InferOutput<typeof schema>['action']

const bold = (found: { name: string } | null | undefined) => `**${untrustedLine(found?.name ?? '')}**`

/** Each kind of action: the words after the member's name, given the card as a link; undefined for none. */
const words: Readonly<Record<string, (card: string, action: Action) => string | undefined>> = {
  createCard: (card, { data }) => `created ${card} in ${bold(data.list)}`,
  copyCard: (card, { data }) => `copied ${card} to ${bold(data.list)}`,
  deleteCard: (_, { data }) => `deleted a card from ${bold(data.list)}`,
  commentCard: (card) => `commented on ${card}`,
  addMemberToCard: (card, { member }) => `added ${untrustedLine(member?.fullName ?? '') || 'somebody'} to ${card}`,
  removeMemberFromCard: (card, { member }) =>
    `removed ${untrustedLine(member?.fullName ?? '') || 'somebody'} from ${card}`,
  addLabelToCard: (card, { data }) =>
    `added the label **${untrustedLine(data.label?.name || data.label?.color || '')}** to ${card}`,
  removeLabelFromCard: (card, { data }) =>
    `removed the label **${untrustedLine(data.label?.name || data.label?.color || '')}** from ${card}`,
  addAttachmentToCard: (card, { data }) =>
    `attached ${link(data.attachment?.name ?? '', data.attachment?.url)} to ${card}`,
  addChecklistToCard: (card, { data }) => `added the checklist ${bold(data.checklist)} to ${card}`,
  createCheckItem: (card, { data }) => `added ${bold(data.checkItem)} to a checklist of ${card}`,
  updateCheckItemStateOnCard: (card, { data }) =>
    `${data.checkItem?.state === 'complete' ? 'completed' : 'reopened'} ${bold(data.checkItem)} of ${card}`,
  createList: (_, { data }) => `created the list ${bold(data.list)}`,
  updateList: (_, { data }) => `changed the list ${bold(data.list)}`,
  addMemberToBoard: (_, { member }) => `added ${untrustedLine(member?.fullName ?? '') || 'somebody'} to the board`,
  updateCard: (card, { data }) => {
    const { old, listBefore, listAfter } = data
    if (listAfter) return `moved ${card} from ${bold(listBefore)} to ${bold(listAfter)}`
    if ('closed' in old) return `${data.card?.closed ? 'archived' : 'restored'} ${card}`
    if ('name' in old) return `renamed a card to ${card}`
    if ('desc' in old) return `changed the description of ${card}`
    if ('due' in old) return data.card?.due ? `set the due date of ${card}` : `removed the due date of ${card}`
    return undefined
  },
}

const reader = (type: string): Reader =>
  on(schema, ({ action }) => {
    const { data, memberCreator } = action
    const card = data.card
      ? link(data.card.name || 'a card', data.card.shortLink && `https://trello.com/c/${data.card.shortLink}`)
      : 'a card'
    const said = words[type]!(card, action)
    if (said === undefined) return skip('The update changed nothing that is announced.')
    return {
      topic: topicName(data.board?.name || 'Trello'),
      content: `${untrustedLine(memberCreator?.fullName ?? '') || 'Somebody'} ${said}.${quoteMarkdown(data.text)}`,
    }
  })

export const trello: Service = {
  name: 'trello',
  displayName: 'Trello',
  eventOf: (payload) => textAt(payload, 'action', 'type'),
  events: Object.fromEntries(Object.keys(words).map((type) => [type, reader(type)])),
}
