import '@angular/compiler';
import {Component, provideZonelessChangeDetection, signal, ViewChild, TemplateRef, inject} from '@angular/core';
import {bootstrapApplication} from '@angular/platform-browser';
import {FormsModule} from '@angular/forms';
import {MatToolbarModule} from '@angular/material/toolbar';
import {MatButtonModule} from '@angular/material/button';
import {MatInputModule} from '@angular/material/input';
import {MatSelectModule} from '@angular/material/select';
import {MatTableModule} from '@angular/material/table';
import {MatSortModule} from '@angular/material/sort';
import {MatPaginatorModule} from '@angular/material/paginator';
import {MatDialogModule, MatDialog} from '@angular/material/dialog';
import {MatMenuModule} from '@angular/material/menu';
import {MatTabsModule} from '@angular/material/tabs';
import {MatCheckboxModule} from '@angular/material/checkbox';
import {MatSlideToggleModule} from '@angular/material/slide-toggle';

class App {
  dialog = inject(MatDialog);
  all = Array.from({length: 42}, (_, i) => ({id: 200 + i, title: ['Algebra', 'Botany', 'Chemistry', 'Drawing'][i % 4] + ' ' + i, teacher: ['Dr. Ames', 'Dr. Bell'][i % 2], seats: i % 30}));
  page = 0; term = ''; level = ''; columns = ['title', 'teacher', 'seats', 'actions']; course = {title: '', teacher: '', evening: false};
  get rows() { return this.all.slice(this.page * 10, this.page * 10 + 10); }
  turn(e) { this.page = e.pageIndex; }
  add() { this.dialog.open(this.form); }
  save() { document.title = 'saved ' + this.course.title; this.dialog.closeAll(); }
}
App.propDecorators = {form: [{type: ViewChild, args: ['form']}]};
Component({
  selector: 'app-root', standalone: true,
  imports: [FormsModule, MatToolbarModule, MatButtonModule, MatInputModule, MatSelectModule, MatTableModule, MatSortModule, MatPaginatorModule, MatDialogModule, MatMenuModule, MatTabsModule, MatCheckboxModule, MatSlideToggleModule],
  template: `<mat-toolbar><span>School</span><a mat-button href="#courses">Courses</a><a mat-button href="#people">People</a><button mat-button [matMenuTriggerFor]="me">Account</button></mat-toolbar>
<mat-menu #me="matMenu"><button mat-menu-item>Profile</button><button mat-menu-item>Sign out</button></mat-menu>
<main><h1>Courses</h1>
<form (ngSubmit)="0" aria-label="Find courses"><mat-form-field><mat-label>Title contains</mat-label><input matInput name="term" [(ngModel)]="term"></mat-form-field><mat-form-field><mat-label>Level</mat-label><mat-select name="level" [(ngModel)]="level"><mat-option value="b">Beginner</mat-option><mat-option value="a">Advanced</mat-option></mat-select></mat-form-field><button mat-flat-button type="submit">Find</button></form>
<button mat-raised-button color="primary" (click)="add()">Add course</button>
<table mat-table [dataSource]="rows" matSort aria-label="Courses"><ng-container matColumnDef="title"><th mat-header-cell *matHeaderCellDef mat-sort-header>Title</th><td mat-cell *matCellDef="let r"><a [href]="'#'+r.id">{{r.title}}</a></td></ng-container><ng-container matColumnDef="teacher"><th mat-header-cell *matHeaderCellDef mat-sort-header>Teacher</th><td mat-cell *matCellDef="let r">{{r.teacher}}</td></ng-container><ng-container matColumnDef="seats"><th mat-header-cell *matHeaderCellDef>Seats</th><td mat-cell *matCellDef="let r">{{r.seats}}</td></ng-container><ng-container matColumnDef="actions"><th mat-header-cell *matHeaderCellDef></th><td mat-cell *matCellDef="let r"><button mat-button>Enrol</button><button mat-button>Cancel</button></td></ng-container><tr mat-header-row *matHeaderRowDef="columns"></tr><tr mat-row *matRowDef="let row; columns: columns"></tr></table>
<mat-paginator [length]="all.length" [pageSize]="10" [pageIndex]="page" (page)="turn($event)" showFirstLastButtons aria-label="Pages of courses"></mat-paginator></main>
<ng-template #form><h2 mat-dialog-title>Add course</h2><mat-dialog-content><mat-form-field><mat-label>Title</mat-label><input matInput required [(ngModel)]="course.title"></mat-form-field><mat-form-field><mat-label>Teacher</mat-label><mat-select [(ngModel)]="course.teacher"><mat-option value="Dr. Ames">Dr. Ames</mat-option><mat-option value="Dr. Bell">Dr. Bell</mat-option></mat-select></mat-form-field><mat-slide-toggle [(ngModel)]="course.evening">Evening course</mat-slide-toggle></mat-dialog-content><mat-dialog-actions><button mat-button mat-dialog-close>Cancel</button><button mat-flat-button (click)="save()">Save</button></mat-dialog-actions></ng-template>`,
})(App);
bootstrapApplication(App, {providers: [provideZonelessChangeDetection()]}).catch((e) => document.title = 'broken: ' + e);
