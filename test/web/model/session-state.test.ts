import assert from 'node:assert/strict'
import test from 'node:test'
import { webFiles, webImports } from '../../../scripts/imports.ts'
import { moduleState } from '../../../scripts/module-state.ts'
import { chooseRecent, recentChoice } from '../../../web/model/navigation/recent-filters.ts'
import { openStreams } from '../../../web/model/reading/sidebar.ts'
import type { Session } from '../../../web/model/state/session.ts'
import { awaitsFile, uploadsOf } from '../../../web/model/writing/uploads.ts'
import { currentFeed, selected } from '../../../web/view/parts/current-feed.ts'

/**
 * The state of the browser window, which all sessions in it share: the address, the language, which account is signed
 * in, what lies over the page. Everything else belongs to a session, by `perSession`, so that two can be side by side.
 */
const ofWindow: Readonly<Record<string, readonly string[]>> = {
  // Which account the window shows, and what an ended session leaves for the same user's next one.
  'model/account/account.ts': [
    'hadSession',
    'lastUser',
    'latest',
    'ending',
    'leaving',
    'signedOut',
    'shown',
    'current',
  ],
  // The browser remembers it, as it does the theme.
  'model/writing/skin-tone.ts': ['chosen'],
  'model/writing/unsent.ts': ['held'],
  // What everyone may know of the organization, before they sign in.
  'model/account/organization.ts': ['organization'],
  // The address, the history, and the view that an empty address stands for.
  'model/state/route.ts': ['hash', 'placesLeft', 'home'],
  // This tab among others: its entry in the browser's outbox, its lock, its connection to the database.
  'model/persistence/browser-database.ts': ['opened'],
  'model/persistence/outbox-storage.ts': ['kept', 'taker', 'awaited'],
  'model/reading/focused-tab.ts': ['release'],
  // How far the page is loaded and drawn.
  'model/state/first-draw.ts': ['drawn', 'rest', 'beside', 'isDrawingMore'],
  'model/reading/notify.ts': ['notifyOf'],
  'model/state/wording.ts': ['wording'],
  'view/feed/menus.ts': ['loaded'],
  // The language and the formats of the page. The last three are caches, the same for every account.
  'model/state/language.ts': ['locale', 'areHoursFree'],
  'texts/loaded.ts': ['loaded'],
  'texts/spoken.ts': ['files', 'rest'],
  'model/state/compare-names.ts': ['collator'],
  'model/writing/matching.ts': ['foldedNames'],
  'view/parts/times.ts': ['cached', 'minute'],
  'view/content/sanitize.ts': ['made'],
  // The one dialog, the notices and the widths of columns, and keys that are pressed before a dialog is loaded.
  'view/parts/dialog.tsx': ['shown'],
  'view/parts/notices.tsx': ['notices'],
  'view/parts/early-keys.ts': ['typed'],
  'view/shell/widths.ts': ['widths'],
}

/** They make a value for each session, or hold a part of the page's code that is loaded later. */
const stateless = ['perSession', 'later', 'onDemand', 'afterFirstView']

test('state belongs to a session, except for what the whole window shares', () => {
  const found = Object.fromEntries(
    webFiles
      .filter((path) => /^web\/(?:model|texts|view)\//.test(path))
      .map((path) => [path.replace('web/', ''), moduleState(path, stateless)] as const)
      .filter(([, names]) => names.length > 0),
  )
  assert.deepEqual(found, ofWindow)
})

test('views take the session from their place in the page, not the one of the window', () => {
  const ofPage = ['app.tsx', 'main.tsx', 'parts/home-view.ts', 'parts/language.ts', 'parts/theme.ts']
  const users = webImports.filter(({ to, names }) => to === 'web/model/account/account.ts' && /\bcurrent\b/.test(names))
  assert.deepEqual(users.map(({ from }) => from.replace('web/view/', '')).toSorted(), ofPage)
})

test('two sessions in a page have their own selection, lists and uploads', (t) => {
  // The page asks before it is left with an upload.
  Object.assign(globalThis, { addEventListener() {} })
  t.after(() => Reflect.deleteProperty(globalThis, 'addEventListener'))
  const [one, other] = [{} as Session, {} as Session]
  selected(one).value = 7
  openStreams(one).toggle(3)
  chooseRecent(one, { filters: ['unread'] })
  uploadsOf(one).underWay.value = [
    { id: 1, name: 'a', picture: undefined, mark: '[Uploading a …]()', progress: 0, cancel: () => {} },
  ]
  assert.deepEqual([selected(one).value, openStreams(one).has(3)], [7, true])
  assert.deepEqual([selected(other).value, openStreams(other).has(3)], [undefined, false])
  assert.equal(currentFeed(other), currentFeed(other))
  assert.deepEqual(recentChoice(other).value.filters, [])
  const text = 'see [Uploading a …]()'
  assert.deepEqual([awaitsFile(one, text), awaitsFile(other, text)], [true, false])
})
