import type { FirstDayWords } from './texts.ts';

const welcome = {
  topic: 'willkommen',
  content: `Willkommen! Jede Nachricht in einem Kanal hat ein *Thema*: ein Gespräch, ein Thema. Mehrere laufen nebeneinander, und jedes lässt sich für sich lesen.

Dieses Thema heißt *willkommen*. Antworte hier, um Hallo zu sagen, oder beginne ein eigenes: #**general>mein erstes Thema**.`,
};

const experiments = {
  topic: 'versuche',
  content: `Was in diesem Kanal steht, stört niemanden. Probiere hier alles aus.

* Schreibe \`**fett**\`, \`*kursiv*\` oder \`~~durchgestrichen~~\` für **fett**, *kursiv* oder ~~durchgestrichen~~.
* Beginne Zeilen mit \`* \` für eine Liste, mit \`> \` für ein Zitat, und setze Code zwischen Zeilen aus drei Backticks.
* Sende \`/poll Wo essen wir?\`, um alle zu fragen; jede weitere Zeile ist eine Antwort zur Auswahl.
* Wähle ein Emoji unter einer Nachricht, um auf sie zu reagieren. :tada:`,
};

const greeting = `Hallo, ich bin der Welcome Bot.

Hier spricht man in **Kanälen**, und jede Nachricht in einem Kanal hat ein **Thema**. Öffne zum Anfang einen Kanal und antworte in einem seiner Themen, oder beginne ein eigenes.

Schicke mir eines dieser Wörter, und ich erzähle dir mehr: \`hilfe\`, \`kanäle\`, \`themen\`, \`formatierung\`, \`tastatur\`.`;

const channels = `Ein **Kanal** ist für ein Team, ein Projekt oder eine Sache. Du siehst die Nachrichten der Kanäle, die du abonniert hast. In der Liste aller Kanäle findest du andere, denen du beitreten kannst, oder du legst einen neuen an.`;

const topics = `Ein **Thema** ist ein Gespräch in einem Kanal. Gib ihm einen kurzen Namen: zwei oder drei Wörter. Du kannst ein Thema stummschalten, das nichts für dich ist, einem folgen, das dich angeht, es als erledigt markieren, wenn es fertig ist, und Nachrichten verschieben, die anderswo hingehören.`;

const formatting = `* \`**fett**\`, \`*kursiv*\`, \`~~durchgestrichen~~\`, \`\` \`Code\` \`\`
* \`[Wörter](https://example.com)\` für einen Link, \`#**general>willkommen**\` für einen Link zu einem Thema
* \`@**Name**\` erwähnt jemanden, \`:tada:\` ist ein Emoji
* \`* \` beginnt eine Zeile einer Liste, \`> \` ein Zitat; vor und nach Code stehen drei Backticks
* \`$$x^2$$\` für eine Formel, \`/poll Frage\` für eine Umfrage`;

const keyboard = `Im Browser und im Terminal gelten dieselben Tasten:

* \`r\` antwortet, \`c\` beginnt eine Nachricht in einem Kanal, \`x\` eine Direktnachricht
* \`n\` geht zum nächsten Thema mit ungelesenen Nachrichten, \`p\` zur nächsten Direktnachricht
* \`/\` sucht, \`*\` markiert eine Nachricht mit einem Stern, \`+\` reagiert mit einem Daumen nach oben
* \`?\` zeigt alle Tasten`;

const help = `Ich kenne diese Wörter: \`kanäle\`, \`themen\`, \`formatierung\`, \`tastatur\`. Schicke mir eines davon.`;

/** The texts of an organization's first day in German. */
export const german: FirstDayWords = {
  descriptions: {
    general: 'Für alle, über alles',
    random: 'Was sonst keinen Platz hat',
    sandbox: 'Zum Ausprobieren',
  },
  welcome,
  experiments,
  greeting,
  help,
  answers: { kanäle: channels, themen: topics, formatierung: formatting, tastatur: keyboard },
};
