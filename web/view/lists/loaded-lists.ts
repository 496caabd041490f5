/** Loaded when one of them is first shown. They share a file because one soon leads to another. */

export { Drafts } from './drafts.tsx'
export { FirstRun } from './first-run.tsx'
export { InboxFilters } from './inbox-filters.tsx'
export { Missed } from './missed.tsx'
export { Recent } from './recent.tsx'
export { SearchPage } from './search-page.tsx'
