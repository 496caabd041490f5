// Packs the package, installs it into an empty project, and tests the library, the command and the code blocks of the
// documents.
import { checkCommand } from './command.ts'
import { checkLibrary } from './consumer.ts'
import { checkDocuments } from './documents.ts'
import { install } from './install.ts'
import { checkRunners } from './runners.ts'

using installed = install()
checkLibrary(installed)
await checkCommand(installed)
checkRunners(installed)
await checkDocuments(installed)
console.log('packed, installed, and used as a library, in tests, as a command and as the documents say')
