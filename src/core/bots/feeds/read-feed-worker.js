// @ts-check
// Reads documents of other servers, RSS and Atom feeds and iCalendar files, one at a time.
// @NOTE JavaScript, because a thread doesn't inherit the TypeScript loader of its process.
import { parentPort } from 'node:worker_threads'

/** @import { ChildNode, Document, Element } from 'domhandler' */
/** @import { CalendarEvent, Entry, Question, Reply } from './read-protocol.ts' */

const MAX_ENTRIES = 200
const MAX_EVENTS = 1000
const MAX_SUMMARY = 300
const MAX_TITLE = 500
const MAX_IDENTITY = 2000

/** @param {ChildNode} node @returns {node is Element} */
const isTag = (node) => node.type === 'tag' || node.type === 'script' || node.type === 'style'

/** A document that isn't what it should be. */
class Unreadable extends Error {}

/** @param {Extract<Question, { kind: 'feed' }>} question */
async function readFeed({ text, url }) {
  const { DomUtils, parseDocument } = await import('htmlparser2')
  const { getChildren, textContent } = DomUtils

  /** @param {Element | Document} parent */
  const elements = (parent) => getChildren(parent).filter(isTag)
  /** @param {Element | Document} parent @param {readonly string[]} names */
  const child = (parent, ...names) =>
    names.flatMap((name) => elements(parent).filter((element) => element.name === name))[0]
  /** @param {Element | Document} parent @param {readonly string[]} names */
  const textOf = (parent, ...names) => {
    const found = child(parent, ...names)
    return found ? textContent(found).trim() : ''
  }

  /** @param {ChildNode} node @returns {string} */
  const shown = (node) => {
    if (node.type === 'text') return node.data
    if (!isTag(node) || /^(script|style|head)$/i.test(node.name)) return ''
    const inner = node.children.map(shown).join('')
    return /^(p|div|br|li|tr|h[1-6])$/i.test(node.name) ? ` ${inner} ` : inner
  }
  /** @param {string} html */
  const plain = (html) => parseDocument(html.slice(0, 100_000)).children.map(shown).join('').replace(/\s+/g, ' ').trim()
  /** Titles are text. Many contain HTML all the same. @param {string} title */
  const titleOf = (title) =>
    /&#?\w+;|<\/?(?:a|b|code|em|i|span|strong)\b/i.test(title) ? plain(title) : title.replace(/\s+/g, ' ')

  /** @param {Element} element */
  const atomLink = (element) => {
    const links = elements(element).filter(({ name, attribs }) => name === 'link' && attribs.href)
    return (links.find(({ attribs }) => (attribs.rel ?? 'alternate') === 'alternate') ?? links[0])?.attribs.href
  }
  /** @param {Element} element */
  const rssLink = (element) => {
    const link = textOf(element, 'link')
    if (link !== '') return link
    const guid = child(element, 'guid')
    return guid && guid.attribs.isPermaLink !== 'false' ? textContent(guid).trim() : atomLink(element)
  }
  /** @param {string | undefined} address */
  const absolute = (address) => (address && URL.canParse(address, url) ? new URL(address, url).href : null)

  /** @param {Element} element @returns {Entry & { time: number }} */
  const entryOf = (element) => {
    const link = absolute(element.name === 'entry' ? atomLink(element) : rssLink(element))
    const title = titleOf(textOf(element, 'title')).slice(0, MAX_TITLE)
    const date = textOf(element, 'published', 'pubDate', 'updated', 'dc:date')
    const identity = textOf(element, 'guid', 'id') || element.attribs['rdf:about'] || link || `${title} ${date}`
    return {
      identity: identity.slice(0, MAX_IDENTITY),
      title,
      link,
      summary: plain(textOf(element, 'description', 'summary', 'content:encoded', 'content')).slice(0, 2 * MAX_SUMMARY),
      time: Date.parse(date),
    }
  }

  const root = elements(parseDocument(text, { xmlMode: true }))[0]
  const list = root && (/^(rss|channel)$/.test(root.name) ? (child(root, 'channel') ?? root) : root)
  if (!list || !/^(channel|feed|rdf:RDF)$/.test(list.name))
    throw new Unreadable('the document is not an RSS or Atom feed')
  const entries = elements(list)
    .filter(({ name }) => name === 'item' || name === 'entry')
    .slice(0, MAX_ENTRIES)
    .map(entryOf)
    // Feeds list the newest first. The sort keeps that order where dates don't say otherwise.
    .reverse()
  if (entries.every(({ time }) => !Number.isNaN(time))) entries.sort((a, b) => a.time - b.time)
  return entries.map(({ time: _, ...entry }) => entry)
}

/** @param {Extract<Question, { kind: 'calendar' }>} question */
async function readCalendar({ text, from, to }) {
  const { default: ICAL } = await import('ical.js')
  if (!/^\s*BEGIN:VCALENDAR/i.test(text.replace(/^\ufeff/, '')))
    throw new Unreadable('the document is not an iCalendar file')
  const parsed = ICAL.parse(text.replace(/^\ufeff/, '').trim())
  const calendars = (Array.isArray(parsed[0]) ? parsed : [parsed]).map(
    (/** @type {any} */ part) => new ICAL.Component(part),
  )
  for (const zone of calendars.flatMap((/** @type {any} */ calendar) => calendar.getAllSubcomponents('vtimezone')))
    ICAL.TimezoneService.register(zone)
  const components = calendars.flatMap((/** @type {any} */ calendar) => calendar.getAllSubcomponents('vevent'))
  const changed = components.filter((/** @type {any} */ component) => component.hasProperty('recurrence-id'))

  /** @type {CalendarEvent[]} */
  const events = []
  /** @param {InstanceType<typeof ICAL.Event>} event @param {InstanceType<typeof ICAL.Time>} start */
  const add = (event, start) => {
    const starts_at = start.toUnixTime()
    const isCancelled = event.component.getFirstPropertyValue('status') === 'CANCELLED'
    if (isCancelled || starts_at < from || starts_at >= to) return
    const link = event.component.getFirstPropertyValue('url')
    events.push({
      identity: `${event.uid ?? event.summary} ${starts_at}`.slice(-MAX_IDENTITY),
      title: (event.summary ?? '').slice(0, MAX_TITLE),
      location: (event.location ?? '').slice(0, MAX_TITLE),
      link: typeof link === 'string' ? link : null,
      starts_at,
      isAllDay: start.isDate,
    })
  }

  /** @type {Map<string, typeof changed>} */
  const changesOf = new Map()
  for (const component of changed) {
    const event = new ICAL.Event(component)
    add(event, event.startDate)
    changesOf.set(event.uid, [...(changesOf.get(event.uid) ?? []), component])
  }
  for (const component of components) {
    if (component.hasProperty('recurrence-id') || !component.hasProperty('dtstart')) continue
    const uid = String(component.getFirstPropertyValue('uid') ?? '')
    const event = new ICAL.Event(component, { exceptions: changesOf.get(uid) ?? [] })
    if (!event.isRecurring()) {
      add(event, event.startDate)
      continue
    }
    const repeated = event.iterator()
    for (let next = repeated.next(); next && next.toUnixTime() < to; next = repeated.next()) {
      if (next.toUnixTime() < from) continue
      const { item, startDate } = event.getOccurrenceDetails(next)
      if (!item.isRecurrenceException() || item.modifiesFuture()) add(item, startDate)
    }
  }
  return events.sort((a, b) => a.starts_at - b.starts_at).slice(0, MAX_EVENTS)
}

/** @param {Question} question @returns {Promise<Reply>} */
async function read(question) {
  return {
    entries: question.kind === 'feed' ? await readFeed(question) : [],
    events: question.kind === 'calendar' ? await readCalendar(question) : [],
  }
}

/** @param {unknown} error */
const problemOf = (error) =>
  error instanceof Unreadable
    ? error.message
    : `the document could not be read: ${error instanceof Error ? error.message : String(error)}`

// What one document could add to all objects would reach the next one.
Object.preventExtensions(Object.prototype)
parentPort?.on('message', (/** @type {Question} */ question) => {
  read(question).then(
    (reply) => parentPort?.postMessage(reply),
    (error) => parentPort?.postMessage({ problem: problemOf(error) }),
  )
})
