// Beginnings of paths whose texts are still to be rewritten. Remove a line once its texts pass.

export const notYetDocuments: readonly string[] = [
  'CONTRIBUTING.md',
  'docs/internals/architecture.md',
  'docs/internals/decisions/',
]

export const notYetComments: readonly string[] = [
  'src/core/accounts/',
  'src/core/messages/',
  'src/core/organization/',
  'src/core/streams/',
  'src/core/users/',
  'test/access/',
  'test/bin/',
  'test/client/',
  'test/crowd.ts',
  'test/events/',
  'test/files/',
  'test/fuzz/',
  'test/groups/',
  'test/http/',
  'test/markup/',
  'test/messages/',
  'test/narrow/',
  'test/nodes/',
  'test/organization/',
  'test/power-loss/',
  'test/processor-time.ts',
  'test/push/',
  'test/repository/',
  'test/runner/',
  'test/storage/',
  'test/testing/',
  'test/web/',
  'web/model/',
  'web/styles/',
  'web/view/',
  'web/worker/',
]

export const notYetTestNames: readonly string[] = []
