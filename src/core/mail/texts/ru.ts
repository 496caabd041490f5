import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('ru')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `Здравствуйте, ${name}!`,
    helloStranger: 'Здравствуйте!',
    ignore: 'Если это были не вы, не обращайте внимания на это письмо. Ничего не изменилось.',
    stop: 'Отписаться от этих писем',
    openChat: 'Открыть чат',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} приглашает вас в ${organization}`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) приглашает вас в командный чат организации «${organization}».`,
    join: (organization) => `Присоединиться: ${organization}`,
    forYou: 'Приглашение только для вас. Если вы не знаете этого человека, не обращайте внимания на это письмо.',
    forYouUntil: (day) =>
      `Приглашение только для вас. Срок действия истекает ${day}. Если вы не знаете этого человека, не обращайте внимания на это письмо.`,
  },
  passwordReset: {
    subject: (organization) => `Сброс пароля: ${organization}`,
    text: (address, organization) =>
      `Кто-то запросил новый пароль для вашего аккаунта ${address} в организации «${organization}».`,
    choose: 'Выбрать новый пароль',
    once: 'Ссылка действует один раз в течение часа. Все остальные сеансы будут завершены.',
    ignore: 'Если это были не вы, не обращайте внимания на это письмо. Ваш пароль не изменится.',
  },
  signUp: {
    existsSubject: (organization) => `У вас уже есть аккаунт: ${organization}`,
    exists: (address, organization) =>
      `Кто-то пытался создать аккаунт ${address} в организации «${organization}». У вас уже есть аккаунт.`,
    signIn: (organization) => `Войти: ${organization}`,
    confirmSubject: (organization) => `Подтвердите адрес почты: ${organization}`,
    confirm: (address, organization) =>
      `Кто-то, вероятно вы, хочет создать аккаунт ${address} в командном чате организации «${organization}».`,
    create: 'Создать аккаунт',
    once: 'Ссылка действует один раз в течение суток. Если это были не вы, не обращайте внимания на это письмо.',
  },
  emailChange: {
    confirmSubject: (organization) => `Подтвердите новый адрес почты: ${organization}`,
    confirm: (address, organization) =>
      `Подтвердите, что ${address} — новый адрес вашего аккаунта в организации «${organization}».`,
    confirmButton: 'Подтвердить адрес',
    day: 'Ссылка действует сутки. Если это были не вы, не обращайте внимания на это письмо.',
    changeSubject: (organization) => `Ваш адрес почты меняется: ${organization}`,
    change: (address, organization) =>
      `Ваш аккаунт в организации «${organization}» получит адрес ${address}, когда он будет подтверждён.`,
    keep: 'Если это были не вы, сохраните свой адрес и завершите все сеансы. Ссылка действует 7 дней:',
    keepButton: 'Сохранить мой адрес',
    thenPassword: 'Затем выберите новый пароль.',
  },
  account: {
    deactivatedSubject: (organization) => `Ваш аккаунт деактивирован: ${organization}`,
    deactivated: (address, organization) =>
      `Администратор деактивировал ваш аккаунт ${address} в организации «${organization}». Войти больше нельзя.`,
    theyWrote: 'Комментарий:',
    reactivatedSubject: (organization) => `Ваш аккаунт снова активен: ${organization}`,
    reactivated: (address, organization) =>
      `Администратор восстановил ваш аккаунт ${address} в организации «${organization}». Войдите со своим паролем.`,
    signIn: 'Войти',
    exportSubject: (organization) => `Экспорт готов: ${organization}`,
    export: (organization) =>
      `Экспорт данных организации «${organization}», который вы запустили, готов. Скачайте его в настройках организации.`,
    ownExportSubject: (organization) => `Ваши данные готовы: ${organization}`,
    ownExport: (organization) =>
      `Ваши сообщения, файлы и настройки из организации «${organization}» готовы. В течение 7 дней их можно скачать в ваших настройках.`,
    openSettings: 'Открыть настройки',
  },
  welcome: {
    subject: (organization) => `Добро пожаловать в организацию «${organization}»`,
    text: (organization, address) =>
      `Теперь у вас есть аккаунт в организации «${organization}». Для входа используйте адрес ${address}.`,
    apps: (url) => `Адрес сервера для приложений: ${url}`,
  },
  signIn: {
    subject: (organization) => `Новый вход: ${organization}`,
    text: (account, organization) =>
      `В ваш аккаунт ${account} в организации «${organization}» вошли с нового устройства.`,
    textFrom: (account, organization, address) =>
      `В ваш аккаунт ${account} в организации «${organization}» вошли с нового устройства с адреса ${address}.`,
    device: 'Устройство',
    unknownDevice: 'неизвестно',
    time: 'Время',
    ifYou: 'Если это были вы, ничего делать не нужно. Если нет, завершите все сеансы и выберите новый пароль.',
    review: 'Проверить сеансы',
  },
  guessing: {
    subject: (organization) => `Много неудачных попыток входа в ваш аккаунт: ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        one: `За час не удалась ${count} попытка войти в ваш аккаунт ${account} в организации «${organization}». Возможно, кто-то подбирает ваш пароль.`,
        few: `За час не удались ${count} попытки войти в ваш аккаунт ${account} в организации «${organization}». Возможно, кто-то подбирает ваш пароль.`,
        many: `За час не удалось ${count} попыток войти в ваш аккаунт ${account} в организации «${organization}». Возможно, кто-то подбирает ваш пароль.`,
        other: `За час не удалось ${count} попытки войти в ваш аккаунт ${account} в организации «${organization}». Возможно, кто-то подбирает ваш пароль.`,
      }),
    advice:
      'Так никто не вошёл. Если вы сами ввели неверный пароль, ничего делать не нужно. Если нет, используйте длинный пароль, которого нет больше нигде, и приложение для аутентификации.',
    open: 'Открыть аккаунт',
  },
  missed: {
    with: (name) => `Личные сообщения: ${name}`,
    withGroup: (names) => `Групповые личные сообщения: ${names}`,
    generalChat: 'общий чат',
    message: (sender, time) => `${sender}, ${time}:`,
    hidden: '(скрыто)',
    more: (count) =>
      plural(count, {
        one: `И ещё ${count}.`,
        few: `И ещё ${count}.`,
        many: `И ещё ${count}.`,
        other: `И ещё ${count}.`,
      }),
    open: 'Открыть беседу',
    muteTopic: 'Отключить уведомления этой темы',
    hiddenSubject: 'Новые сообщения',
    hiddenText: (count) =>
      plural(count, {
        one: `У вас ${count} новое сообщение. Оно не показано в этом письме из-за ваших настроек или настроек организации.`,
        few: `У вас ${count} новых сообщения. Они не показаны в этом письме из-за ваших настроек или настроек организации.`,
        many: `У вас ${count} новых сообщений. Они не показаны в этом письме из-за ваших настроек или настроек организации.`,
        other: `У вас ${count} нового сообщения. Они не показаны в этом письме из-за ваших настроек или настроек организации.`,
      }),
    footer: (organization) =>
      `Вы получили это письмо, потому что пропустили сообщения в организации «${organization}». Ответы на него никто не читает.`,
    footerReply: (organization) =>
      `Вы получили это письмо, потому что пропустили сообщения в организации «${organization}». Ответьте на него, чтобы ответить в чате.`,
  },
  test: {
    subject: 'Тестовое письмо',
    works: 'Ваш сервер чата может отправлять почту.',
  },
  digest: {
    subject: (organization) => `Ваша неделя: ${organization}`,
    text: (organization) => `Вот что произошло за последнюю неделю в организации «${organization}».`,
    unread: (count) =>
      plural(count, {
        one: `У вас ${count} непрочитанное личное сообщение.`,
        few: `У вас ${count} непрочитанных личных сообщения.`,
        many: `У вас ${count} непрочитанных личных сообщений.`,
        other: `У вас ${count} непрочитанного личного сообщения.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `В ваших каналах ${count} новое сообщение.`,
        few: `В ваших каналах ${count} новых сообщения.`,
        many: `В ваших каналах ${count} новых сообщений.`,
        other: `В ваших каналах ${count} нового сообщения.`,
      }),
    topics: 'Активные темы',
    topic: (count, names) =>
      plural(count, {
        one: `${count} сообщение: ${names}`,
        few: `${count} сообщения: ${names}`,
        many: `${count} сообщений: ${names}`,
        other: `${count} сообщения: ${names}`,
      }),
    channels: 'Новые каналы',
    footer: (organization) =>
      `Это письмо приходит раз в неделю, потому что вы несколько дней не открывали чат организации «${organization}».`,
  },
}
