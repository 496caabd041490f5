import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('uk')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `Вітаємо, ${name}!`,
    helloStranger: 'Вітаємо!',
    ignore: 'Якщо це були не ви, не зважайте на цей лист. Нічого не змінилося.',
    stop: 'Відписатися від цих листів',
    openChat: 'Відкрити чат',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} запрошує вас до ${organization}`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) запрошує вас до командного чату організації «${organization}».`,
    join: (organization) => `Приєднатися: ${organization}`,
    forYou: 'Запрошення лише для вас. Якщо ви не знаєте цієї людини, не зважайте на цей лист.',
    forYouUntil: (day) =>
      `Запрошення лише для вас. Воно діє до: ${day}. Якщо ви не знаєте цієї людини, не зважайте на цей лист.`,
  },
  passwordReset: {
    subject: (organization) => `Скидання пароля: ${organization}`,
    text: (address, organization) =>
      `Хтось попросив новий пароль для вашого облікового запису ${address} в організації «${organization}».`,
    choose: 'Вибрати новий пароль',
    once: 'Посилання діє один раз протягом години. Усі інші сеанси буде завершено.',
    ignore: 'Якщо це були не ви, не зважайте на цей лист. Ваш пароль не зміниться.',
  },
  signUp: {
    existsSubject: (organization) => `У вас уже є обліковий запис: ${organization}`,
    exists: (address, organization) =>
      `Хтось намагався створити обліковий запис ${address} в організації «${organization}». У вас він уже є.`,
    signIn: (organization) => `Увійти: ${organization}`,
    confirmSubject: (organization) => `Підтвердьте адресу пошти: ${organization}`,
    confirm: (address, organization) =>
      `Хтось, імовірно ви, хоче створити обліковий запис ${address} у командному чаті організації «${organization}».`,
    create: 'Створити обліковий запис',
    once: 'Посилання діє один раз протягом доби. Якщо це були не ви, не зважайте на цей лист.',
  },
  emailChange: {
    confirmSubject: (organization) => `Підтвердьте нову адресу пошти: ${organization}`,
    confirm: (address, organization) =>
      `Підтвердьте, що ${address} — нова адреса вашого облікового запису в організації «${organization}».`,
    confirmButton: 'Підтвердити адресу',
    day: 'Посилання діє добу. Якщо це були не ви, не зважайте на цей лист.',
    changeSubject: (organization) => `Ваша адреса пошти змінюється: ${organization}`,
    change: (address, organization) =>
      `Ваш обліковий запис в організації «${organization}» отримає адресу ${address}, коли її буде підтверджено.`,
    keep: 'Якщо це були не ви, збережіть свою адресу та завершіть усі сеанси. Посилання діє 7 днів:',
    keepButton: 'Зберегти мою адресу',
    thenPassword: 'Потім виберіть новий пароль.',
  },
  account: {
    deactivatedSubject: (organization) => `Ваш обліковий запис деактивовано: ${organization}`,
    deactivated: (address, organization) =>
      `Адміністратор деактивував ваш обліковий запис ${address} в організації «${organization}». Увійти більше не можна.`,
    theyWrote: 'Коментар:',
    reactivatedSubject: (organization) => `Ваш обліковий запис знову активний: ${organization}`,
    reactivated: (address, organization) =>
      `Адміністратор відновив ваш обліковий запис ${address} в організації «${organization}». Увійдіть зі своїм паролем.`,
    signIn: 'Увійти',
    exportSubject: (organization) => `Експорт готовий: ${organization}`,
    export: (organization) =>
      `Експорт даних організації «${organization}», який ви запустили, готовий. Завантажте його в налаштуваннях організації.`,
    ownExportSubject: (organization) => `Ваші дані готові: ${organization}`,
    ownExport: (organization) =>
      `Ваші повідомлення, файли й налаштування з організації «${organization}» готові. Протягом 7 днів їх можна завантажити у ваших налаштуваннях.`,
    openSettings: 'Відкрити налаштування',
  },
  welcome: {
    subject: (organization) => `Ласкаво просимо до організації «${organization}»`,
    text: (organization, address) =>
      `Тепер у вас є обліковий запис в організації «${organization}». Для входу використовуйте адресу ${address}.`,
    apps: (url) => `Адреса сервера для застосунків: ${url}`,
  },
  signIn: {
    subject: (organization) => `Новий вхід: ${organization}`,
    text: (account, organization) =>
      `До вашого облікового запису ${account} в організації «${organization}» увійшли з нового пристрою.`,
    textFrom: (account, organization, address) =>
      `До вашого облікового запису ${account} в організації «${organization}» увійшли з нового пристрою з адреси ${address}.`,
    device: 'Пристрій',
    unknownDevice: 'невідомо',
    time: 'Час',
    ifYou: 'Якщо це були ви, нічого робити не потрібно. Якщо ні, завершіть усі сеанси та виберіть новий пароль.',
    review: 'Перевірити сеанси',
  },
  guessing: {
    subject: (organization) => `Багато невдалих спроб входу до вашого облікового запису: ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        one: `За годину не вдалася ${count} спроба увійти до вашого облікового запису ${account} в організації «${organization}». Можливо, хтось підбирає ваш пароль.`,
        few: `За годину не вдалися ${count} спроби увійти до вашого облікового запису ${account} в організації «${organization}». Можливо, хтось підбирає ваш пароль.`,
        many: `За годину не вдалося ${count} спроб увійти до вашого облікового запису ${account} в організації «${organization}». Можливо, хтось підбирає ваш пароль.`,
        other: `За годину не вдалося ${count} спроби увійти до вашого облікового запису ${account} в організації «${organization}». Можливо, хтось підбирає ваш пароль.`,
      }),
    advice:
      'Так ніхто не увійшов. Якщо ви самі ввели неправильний пароль, нічого робити не потрібно. Якщо ні, використовуйте довгий пароль, якого немає більше ніде, і застосунок для автентифікації.',
    open: 'Відкрити обліковий запис',
  },
  missed: {
    with: (name) => `Особисті повідомлення: ${name}`,
    withGroup: (names) => `Групові особисті повідомлення: ${names}`,
    generalChat: 'загальний чат',
    message: (sender, time) => `${sender}, ${time}:`,
    hidden: '(приховано)',
    more: (count) =>
      plural(count, {
        one: `І ще ${count}.`,
        few: `І ще ${count}.`,
        many: `І ще ${count}.`,
        other: `І ще ${count}.`,
      }),
    open: 'Відкрити розмову',
    muteTopic: 'Вимкнути сповіщення цієї теми',
    hiddenSubject: 'Нові повідомлення',
    hiddenText: (count) =>
      plural(count, {
        one: `У вас ${count} нове повідомлення. Його не показано в цьому листі через ваші налаштування або налаштування організації.`,
        few: `У вас ${count} нові повідомлення. Їх не показано в цьому листі через ваші налаштування або налаштування організації.`,
        many: `У вас ${count} нових повідомлень. Їх не показано в цьому листі через ваші налаштування або налаштування організації.`,
        other: `У вас ${count} нового повідомлення. Їх не показано в цьому листі через ваші налаштування або налаштування організації.`,
      }),
    footer: (organization) =>
      `Ви отримали цей лист, бо пропустили повідомлення в організації «${organization}». Відповідей на нього ніхто не читає.`,
    footerReply: (organization) =>
      `Ви отримали цей лист, бо пропустили повідомлення в організації «${organization}». Дайте на нього відповідь, щоб відповісти в чаті.`,
  },
  test: {
    subject: 'Тестовий лист',
    works: 'Ваш сервер чату може надсилати пошту.',
  },
  digest: {
    subject: (organization) => `Ваш тиждень: ${organization}`,
    text: (organization) => `Ось що сталося за останній тиждень в організації «${organization}».`,
    unread: (count) =>
      plural(count, {
        one: `У вас ${count} непрочитане особисте повідомлення.`,
        few: `У вас ${count} непрочитані особисті повідомлення.`,
        many: `У вас ${count} непрочитаних особистих повідомлень.`,
        other: `У вас ${count} непрочитаного особистого повідомлення.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `У ваших каналах ${count} нове повідомлення.`,
        few: `У ваших каналах ${count} нові повідомлення.`,
        many: `У ваших каналах ${count} нових повідомлень.`,
        other: `У ваших каналах ${count} нового повідомлення.`,
      }),
    topics: 'Активні теми',
    topic: (count, names) =>
      plural(count, {
        one: `${count} повідомлення: ${names}`,
        few: `${count} повідомлення: ${names}`,
        many: `${count} повідомлень: ${names}`,
        other: `${count} повідомлення: ${names}`,
      }),
    channels: 'Нові канали',
    footer: (organization) =>
      `Цей лист надходить раз на тиждень, бо ви кілька днів не відкривали чат організації «${organization}».`,
  },
}
