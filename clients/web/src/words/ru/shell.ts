import type { shell as en } from "../en/shell.ts";

export const shell: typeof en = {
  name: "Британская конституция",
  title: (screen) => `${screen} · Британская конституция`,
  screens: {
    play: "Играть",
    new: "Новая игра",
    deal: "Расклад",
    join: "Вступить в игру",
    watch: "Смотреть игру",
    replay: "Повтор",
    daily: "Задание дня",
    boards: "Таблицы лидеров",
    statistics: "Статистика",
    rules: "Правила",
    settings: "Настройки",
  },
  menu: "Меню",
  toContent: "К содержимому",
  toBoard: "К игре",
  loading: "Загрузка…",
  notFound: "Такой страницы нет.",
  failed: "Не удалось загрузить страницу.",
  again: "Ещё раз",
  offline: "Устройство не в сети: сервис недоступен, с игрой придётся подождать. Открыть можно:",
};
