import { type Reader, textAt, wordFor } from '../../format/event.ts'
import { type Service, sentIn } from '../../format/service.ts'
import { emoji, note } from './comments.ts'
import { group, member, projectEvent } from './group.ts'
import { issue } from './issues.ts'
import { mergeRequest } from './merge-requests.ts'
import { deployment, job, pipeline } from './pipelines.ts'
import { featureFlag, milestone, release, test, token, vulnerability, wiki } from './project.ts'
import { push, tagPush } from './push.ts'

/** By the name that GitLab gives the event in X-Gitlab-Event. */
const events: Readonly<Record<string, Reader>> = {
  'Push Hook': push,
  'Tag Push Hook': tagPush,
  'Issue Hook': issue,
  'Confidential Issue Hook': issue,
  'Work Item Hook': issue,
  'Confidential Work Item Hook': issue,
  'Merge Request Hook': mergeRequest,
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Wiki Page Hook': wiki,
  'Pipeline Hook': pipeline,
  'Job Hook': job,
  'Build Hook': job,
  'Deployment Hook': deployment,
  'Release Hook': release,
  'Feature Flag Hook': featureFlag,
  'Emoji Hook': emoji,
  'Milestone Hook': milestone,
  'Member Hook': member,
  'Subgroup Hook': group,
  'Project Hook': projectEvent,
  'Resource Access Token Hook': token,
  'Vulnerability Hook': vulnerability,
  'Test Hook': test,
}

/** The events of system hooks and of tests, which name the kind only in the payload. */
const byKind: Readonly<Record<string, string>> = {
  push: 'Push Hook',
  tag_push: 'Tag Push Hook',
  issue: 'Issue Hook',
  work_item: 'Work Item Hook',
  merge_request: 'Merge Request Hook',
  note: 'Note Hook',
  wiki_page: 'Wiki Page Hook',
  pipeline: 'Pipeline Hook',
  build: 'Job Hook',
  deployment: 'Deployment Hook',
  release: 'Release Hook',
}

export const gitlab: Service = {
  name: 'gitlab',
  displayName: 'GitLab',
  hasBranches: true,
  hasMergeRequests: true,
  headers: ['x-gitlab-event', 'x-gitlab-event-uuid', 'x-gitlab-token'],
  eventHeader: 'x-gitlab-event',
  deliveryHeader: 'x-gitlab-event-uuid',
  secret: { option: 'gitlab_secret', isProven: sentIn('x-gitlab-token') },
  eventOf(payload, header) {
    if (header !== 'System Hook' && header !== 'Test Hook') return header
    return wordFor(byKind, textAt(payload, 'object_kind')) ?? header
  },
  alsoNamed(payload, header) {
    const words = ['action', 'noteable_type'].map((name) => textAt(payload, 'object_attributes', name))
    // "Merge Request Hook open" and "Note Hook MergeRequest", as Zulip's integration names them.
    return words.filter((word) => word !== '').map((word) => `${header} ${word}`)
  },
  events,
  unannounced: {
    'System Hook': 'Events of the whole installation are announced only if a project has them, too.',
  },
}
